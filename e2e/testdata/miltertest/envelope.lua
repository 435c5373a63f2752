-- Macros, unknown commands, parameters of the envelope, a null sender, many recipients; the names of fields in any case, and fields with line ends in them.
dofile(dir .. "/prelude.lua")
conn = open()
wanted(mt.helo, conn, "client.example.test")
wanted(mt.unknown, conn, "XYZZY")
done(mt.macro(conn, SMFIC_MAIL, "i", "4A5B6C", "{auth_type}", "PLAIN"), "macro")
wanted(mt.mailfrom, conn, "<>", "SMTPUTF8", "BODY=8BITMIME")
for i = 1, 50 do
	wanted(mt.rcptto, conn, "<u" .. i .. "@example.test>", "NOTIFY=NEVER")
end
wanted(mt.data, conn)
done(mt.header(conn, "fRoM", "<a@example.test>"))
done(mt.header(conn, "Subject", "کتاب"))
done(mt.header(conn, "cOnTeNt-TyPe", "text/html;\n\tcharset=\"utf-8\""))
done(mt.eoh(conn))
done(mt.bodystring(conn, TEXT))
done(mt.eom(conn))
changed(conn, LINKED, "envelope")
mt.disconnect(conn)
