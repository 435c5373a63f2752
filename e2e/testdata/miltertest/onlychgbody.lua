-- An MTA that has nothing but the change of the body, and no optional step, in an old version of the protocol.
dofile(dir .. "/prelude.lua")
conn = open(2, SMFIF_CHGBODY, 0)
check(mt.test_action(conn, SMFIF_CHGBODY), "the milter does not ask for the change of the body")
for _, action in ipairs({SMFIF_ADDHDRS, SMFIF_CHGHDRS, SMFIF_ADDRCPT, SMFIF_DELRCPT, SMFIF_QUARANTINE}) do
	check(not mt.test_action(conn, action), "the milter asks for more than it needs")
end
header(conn, {HTML})
done(mt.bodystring(conn, TEXT))
done(mt.eom(conn))
changed(conn, LINKED, "version 2")
mt.disconnect(conn)
