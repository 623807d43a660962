-- SPDX-License-Identifier: Apache-2.0
-- Echoes: luajit echo.lua PORT|version
local uv = require 'luv'

if arg[1] == 'version' then
  print('luv on libuv ' .. uv.version_string() .. ', ' .. jit.version)
  return
end

local server = uv.new_tcp()
server:bind('127.0.0.1', tonumber(arg[1]))
server:listen(4096, function()
  local client = uv.new_tcp()
  server:accept(client)
  client:nodelay(true)
  client:read_start(function(failed, bytes)
    if failed or not bytes then
      client:close()
      return
    end
    local written = client:try_write(bytes)
    if not written then written = 0 end
    if written < #bytes then client:write(bytes:sub(written + 1)) end
  end)
end)
uv.run()
