-- An MTA that does not let the body be changed: the mail passes, and nothing is asked for.
dofile(dir .. "/prelude.lua")
conn = open(6, SMFIF_ADDHDRS + SMFIF_CHGHDRS, 0)
check(not mt.test_action(conn, SMFIF_CHGBODY), "the milter asks for what it was not offered")
header(conn, {HTML})
if not accepted(conn) then
	wanted(mt.bodystring, conn, TEXT)
	done(mt.eom(conn))
	untouched(conn, "without CHGBODY")
end
mt.disconnect(conn)
