-- A page, in one chunk, in chunks of a byte, and with an empty one.
dofile(dir .. "/prelude.lua")
conn = open()
header(conn, {HTML})
check(not accepted(conn), "a page is not looked at")
done(mt.bodystring(conn, TEXT))
done(mt.eom(conn))
changed(conn, LINKED, "one chunk")

header(conn, {HTML})
for i = 1, #TEXT do
	done(mt.bodystring(conn, TEXT:sub(i, i)))
end
done(mt.eom(conn))
changed(conn, LINKED, "chunks of a byte")
mt.disconnect(conn)
