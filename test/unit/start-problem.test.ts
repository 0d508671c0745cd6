import t from 'tap'
import { startProblem } from '../../plugins/start-problem.js'

t.test('a start that fails says in words what to do (UX, the command line)', t => {
  const cases: [error: object, env: Record<string, string>, expected: RegExp | null][] = [
    [{ syscall: 'listen', code: 'EADDRINUSE' }, {}, /^Port 3000 is taken .* PORT=3001/],
    [{ syscall: 'listen', code: 'EACCES' }, { PORT: '80' }, /may not listen on port 80/],
    [
      { syscall: 'listen', code: 'EADDRNOTAVAIL' },
      { HOST: '203.0.113.9' },
      /^HOST is 203\.0\.113\.9, .* 0\.0\.0\.0/,
    ],
    [{ syscall: 'mkdir', code: 'EACCES', path: '/data' }, {}, /may not write \/data\. .*DATA_DIR/],
    [{ code: 'SQLITE_READONLY' }, {}, /may not write \/.*\/data\. .*chown/],
    [{ message: 'unable to open database file' }, { DATA_DIR: 'kept' }, /may not write \/.*\/kept\. .*chown/],
    [{ code: 'EEXIST', path: '/data' }, {}, /^\/data is a file, .*DATA_DIR/],
    [{ code: 'ENOSPC' }, {}, /disk is full/],
    [{ code: 'ECONNREFUSED' }, {}, null],
  ]
  for (const [error, env, expected] of cases) {
    const said = startProblem(Object.assign(new Error('x'), error), env)
    if (expected) t.match(said, expected)
    else t.equal(said, null)
  }
  t.end()
})
