import { type DestinationStream, levels } from 'pino'

/** Writes JSON lines in a readable form: `18:42:10 info  request completed GET /safes 200 3 ms`, and stacks of errors. */
export const readable = (to: DestinationStream): DestinationStream => ({
  write(json) {
    const { level, time, msg, req, res, responseTime, err } = JSON.parse(json)
    const parts = [
      new Date(time).toTimeString().slice(0, 8),
      (levels.labels[level] ?? '').padEnd(5),
      msg,
      ...(req ? [req.method, req.path] : []),
      ...(res ? [res.statusCode] : []),
      ...(responseTime === undefined ? [] : [`${Math.round(responseTime)} ms`]),
      ...(err ? [`\n${err.stack || err.message}`] : []),
    ]
    to.write(`${parts.join(' ')}\n`)
  },
})
