-- Runs the script NAME.lua, and says what is wrong: miltertest itself says nothing.
local ok, err = pcall(dofile, dir .. "/" .. name .. ".lua")
if not ok then
	mt.echo(tostring(err))
	error(err)
end
