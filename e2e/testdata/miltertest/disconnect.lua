-- An MTA that goes away without a word, at every stage: others are not disturbed.
dofile(dir .. "/prelude.lua")
other = open()
header(other, {HTML})
for i = 1, 3 do
	local conn = open()
	if i > 1 then
		header(conn, {HTML})
	end
	if i > 2 then
		done(mt.bodystring(conn, TEXT))
	end
	mt.disconnect(conn, false)
end
done(mt.bodystring(other, TEXT))
done(mt.eom(other))
changed(other, LINKED, "the other connection")
mt.disconnect(other)
