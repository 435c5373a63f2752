-- A body of more than one chunk, 1 MB, with a link in each of its first lines.
dofile(dir .. "/prelude.lua")
conn = open()
header(conn, {HTML})
filler = string.rep("<p>0123456789abcdef0123456789abcdef</p>\r\n", 1000)
want = {}
for i = 1, 25 do
	done(mt.bodystring(conn, TEXT .. filler))
	want[#want + 1] = LINKED .. filler
end
done(mt.eom(conn))
check(mt.getreply(conn) == SMFIR_ACCEPT or mt.getreply(conn) == SMFIR_CONTINUE, "the reply")
check(mt.eom_check(conn, MT_BODYCHANGE), "the body is not changed")
nothing(conn, "large")
mt.disconnect(conn)
