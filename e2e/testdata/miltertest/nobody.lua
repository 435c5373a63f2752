-- No body at all; an empty one; none with a link.
dofile(dir .. "/prelude.lua")
conn = open()
header(conn, {HTML})
done(mt.eom(conn))
untouched(conn, "no body")
for _, text in ipairs({"\r\n", "<p>nothing</p>\r\n", "<p>no line end"}) do
	header(conn, {HTML})
	done(mt.bodystring(conn, text))
	done(mt.eom(conn))
	untouched(conn, "body: " .. text)
end
header(conn, {HTML})
done(mt.bodystring(conn, "http://example.com/x"))
done(mt.eom(conn))
changed(conn, "<a href=\"http://example.com/x\">http://example.com/x</a>", "no line end")
mt.disconnect(conn)
