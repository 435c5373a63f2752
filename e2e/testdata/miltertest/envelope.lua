-- Macros, unknown commands, parameters of the envelope, a null sender, many recipients; the names of fields in any case, and fields with line ends in them.
dofile(dir .. "/prelude.lua")
conn = open()
done(mt.helo(conn, "client.example.test"), "helo")
done(mt.unknown(conn, "XYZZY"), "unknown")
done(mt.macro(conn, SMFIC_MAIL, "i", "4A5B6C", "{auth_type}", "PLAIN"), "macro")
done(mt.mailfrom(conn, "<>", "SMTPUTF8", "BODY=8BITMIME"), "mailfrom")
for i = 1, 50 do
	done(mt.rcptto(conn, "<u" .. i .. "@example.test>", "NOTIFY=NEVER"), "rcptto")
end
done(mt.data(conn), "data")
done(mt.header(conn, "fRoM", "<a@example.test>"))
done(mt.header(conn, "Subject", "کتاب"))
done(mt.header(conn, "cOnTeNt-TyPe", "text/html;\n\tcharset=\"utf-8\""))
done(mt.eoh(conn))
done(mt.bodystring(conn, TEXT))
done(mt.eom(conn))
changed(conn, LINKED, "envelope")
mt.disconnect(conn)
