-- What is not to be changed, by its header alone: the body is not asked for.
dofile(dir .. "/prelude.lua")
conn = open()
for name, fields in pairs({
	plain = {{"Content-Type", "text/plain; charset=utf-8"}},
	none = {},
	signed = {{"Content-Type", "multipart/signed; boundary=x; protocol=\"application/pgp-signature\"; micalg=pgp-sha256"}},
	encrypted = {{"Content-Type", "application/pkcs7-mime"}},
	report = {{"Content-Type", "multipart/report; boundary=x; report-type=delivery-status"}},
	dkim = {{"DKIM-Signature", "v=1; a=rsa-sha256; d=example.test; s=s1; h=from; bh=x; b=x"}, HTML},
	arc = {{"ARC-Seal", "i=1; a=rsa-sha256; d=example.test; s=s1; cv=none; b=x"}, HTML},
	list = {{"List-Id", "<x.example.test>"}, HTML},
	malformed = {{"Content-Type", "text/html"}, {"Content-Type", "text/plain"}},
}) do
	header(conn, fields)
	check(accepted(conn), name .. ": the milter wants the body")
end
-- And the connection goes on.
header(conn, {HTML})
done(mt.bodystring(conn, TEXT))
done(mt.eom(conn))
changed(conn, LINKED, "behind the others")
mt.disconnect(conn)
