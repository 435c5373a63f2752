-- A message that is given up, at every stage, leaves nothing behind for the next one.
dofile(dir .. "/prelude.lua")
conn = open()
stages = {
	function() done(mt.mailfrom(conn, "<a@example.test>")) end,
	function() done(mt.mailfrom(conn, "<a@example.test>")) done(mt.rcptto(conn, "<u@example.test>")) end,
	function()
		done(mt.mailfrom(conn, "<a@example.test>"))
		done(mt.rcptto(conn, "<u@example.test>"))
		done(mt.header(conn, "Content-Type", "text/plain"))
	end,
	function() header(conn, {HTML}) end,
	function() header(conn, {HTML}) done(mt.bodystring(conn, "<p>http://example.org/given-up")) end,
}
for i, stage in ipairs(stages) do
	stage()
	done(mt.abort(conn), "abort")
	header(conn, {HTML})
	done(mt.bodystring(conn, TEXT))
	done(mt.eom(conn))
	changed(conn, LINKED, "after the abort at stage " .. i)
end
mt.disconnect(conn)
