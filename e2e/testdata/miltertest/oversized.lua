-- A message beyond the limit of 25 MiB passes as it is, and the next one is changed.
dofile(dir .. "/prelude.lua")
conn = open()
header(conn, {HTML})
done(mt.bodystring(conn, TEXT))
chunk = string.rep("<p>0123456789abcdef0123456789abcdef</p>\r\n", 1500)
for i = 1, math.floor(26 * 1048576 / #chunk) + 1 do
	done(mt.bodystring(conn, chunk))
	if mt.getreply(conn) == SMFIR_SKIP or accepted(conn) then
		break
	end
end
if not accepted(conn) then
	done(mt.eom(conn))
	untouched(conn, "oversized")
end
header(conn, {HTML})
done(mt.bodystring(conn, TEXT))
done(mt.eom(conn))
changed(conn, LINKED, "after the oversized one")
mt.disconnect(conn)
