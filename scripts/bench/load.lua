-- What wrk runs: sends a method and a body, or walks a file of paths where one is named, and prints what it measured as one line of JSON.

function init(args)
  wrk.method, wrk.body = args[2] or 'GET', args[3] ~= '' and args[3] or nil
  if not args[1] or args[1] == '' then return end
  local requests, at = {}, 0
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", path) end
  request = function()
    at = at % #requests + 1
    return requests[at]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
