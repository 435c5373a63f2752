-- Several messages over one connection, and several connections at a time.
dofile(dir .. "/prelude.lua")
conns = {open(), open(), open()}
for round = 1, 3 do
	for i, conn in ipairs(conns) do
		header(conn, {HTML})
	end
	for i, conn in ipairs(conns) do
		done(mt.bodystring(conn, "<p>" .. round .. i .. " "))
	end
	for i, conn in ipairs(conns) do
		done(mt.bodystring(conn, TEXT))
	end
	for i, conn in ipairs(conns) do
		done(mt.eom(conn))
		changed(conn, "<p>" .. round .. i .. " " .. LINKED, "round " .. round .. ", connection " .. i)
	end
end
for i, conn in ipairs(conns) do
	mt.disconnect(conn)
end
