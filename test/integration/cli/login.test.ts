import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { decide, type Machine, openMachine, openServer, printedAddress } from './remote.js'

const fileOf = ({ home }: Machine) => join(home, 'config', 'svc', 'servers.json')
const kept = (machine: Machine) => JSON.parse(readFileSync(fileOf(machine), 'utf8'))

t.test('svc login lets the person approve, keeps the sign-in for this person only, and ends it', async t => {
  const server = await openServer(t)
  const machine = openMachine(t)
  const done = await machine.login(server.url)
  t.match(done, { code: 0, stdout: '', stderr: /You are signed in at http:\/\/127\.0\.0\.1:\d+\./ })
  t.match(done.stderr, `stored in ${fileOf(machine)}`)
  t.equal(statSync(fileOf(machine)).mode & 0o777, 0o600)
  t.match((await machine.svc('servers')).stdout, `${server.url}\tvault:read vault:write\tdefault\n`)
  t.match((await server.there('connection', 'list')).stdout, `svc on ${hostname()}`)
  t.match(await machine.svc('safe', 'list'), { code: 0, stdout: /^\w{22}\tNotes\t0\t0\t0\t0\n$/ })

  const again = await machine.svc('login', server.url)
  t.match(again, { code: 0, stderr: /the one from before.*--again/ }, 'a second login needs no browser')
  t.notMatch(again.stderr, /Approve/)
  t.match(await machine.login(server.url, { scopes: ['vault:read'] }, '--again'), { code: 0 })
  t.match((await machine.svc('servers')).stdout, `${server.url}\tvault:read\tdefault\n`)
  t.equal(JSON.parse((await server.there('connection', 'list', '--json')).stdout).length, 1, 'it replaces')

  const { accessToken } = kept(machine).servers[server.url].tokens
  const list = () =>
    fetch(`${server.url}/api/v1/safes`, { headers: { authorization: `Bearer ${accessToken}` } })
  t.equal((await list()).status, 200)
  t.match(await machine.svc('logout'), { code: 0, stderr: /You are signed out/ })
  t.equal((await list()).status, 401, 'the token no longer works')
  t.equal((await server.there('connection', 'list')).stdout, '')
  t.equal((await machine.svc('servers')).stdout, '')
  t.match(await machine.svc('logout'), { code: 1, stderr: /not signed in anywhere/ })
})

t.test('whoever denies, or sends another state, signs nobody in', async t => {
  const server = await openServer(t)
  const machine = openMachine(t)
  const denied = await machine.login(server.url, { decision: 'deny' })
  t.match(denied, { code: 1, stderr: /You did not approve the connection/ })
  t.throws(() => kept(machine), { code: 'ENOENT' })

  const started = machine.run(['login', server.url, '--no-browser'], new PassThrough())
  const address = (await printedAddress(started)) ?? ''
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
  t.match(redirect, /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  t.equal((await fetch(`${redirect}?code=x&state=another`)).status, 404)
  const answer = await decide(address)
  const page = await fetch(answer)
  t.equal(page.status, 200)
  t.match(await page.text(), /You can close this window/)
  t.match(await started.ended, { code: 0 }, 'the right answer still counts')
})

t.test('the address of the last page can be pasted, for a browser on another machine', async t => {
  const server = await openServer(t)
  const machine = openMachine(t)
  const typed = new PassThrough()
  const started = machine.run(['login', server.url, '--no-browser'], typed)
  const answer = await decide((await printedAddress(started)) ?? '')
  typed.write('something else\n')
  typed.end(`${answer}\n`)
  t.match(await started.ended, { code: 0, stderr: /You are signed in/ })
})

t.test('several commands at once renew the sign-in once', async t => {
  const server = await openServer(t)
  const machine = openMachine(t)
  await machine.login(server.url)
  expire(machine, server.url)
  const lists = await Promise.all([1, 2, 3, 4].map(() => machine.svc('safe', 'list')))
  for (const list of lists) t.match(list, { code: 0, stdout: /Notes/ }, list.stderr)
  t.match(kept(machine).servers[server.url].tokens.refreshToken, /^svc_rt_\w{22}_2_/, 'one rotation')
  expire(machine, server.url)
  t.match(await machine.svc('safe', 'list'), { code: 0 }, 'the connection goes on')
})

t.test('a sign-in that has ended says so and how to sign in again', async t => {
  const server = await openServer(t)
  const machine = openMachine(t)
  await machine.login(server.url)
  const [connection] = JSON.parse((await server.there('connection', 'list', '--json')).stdout)
  await server.there('connection', 'revoke', connection.id, '--yes')
  const ended = { code: 1, stderr: new RegExp(`has ended.*svc login ${server.url}`) }
  t.match(await machine.svc('safe', 'list'), ended)
  t.match(await machine.svc('safe', 'list'), ended, 'commands do not turn to this machine instead')
  t.match(await machine.login(server.url), { code: 0 })
  t.match(await machine.svc('safe', 'list'), { code: 0, stdout: /Notes/ })

  await server.app.database.write(trx => trx.deleteFrom('clients').execute())
  await server.restart()
  expire(machine, server.url)
  t.match(await machine.svc('safe', 'list'), ended, 'the server no longer knows the registration')
  t.match(await machine.svc('logout'), { code: 0, stderr: /signed out/ })
  t.match(await machine.login(server.url), { code: 0 }, 'a new login registers again')
})

t.test('the key chain keeps the sign-in if there is one, and --file does not use it', async t => {
  const server = await openServer(t)
  const machine = openMachine(t, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' })
  const secrets = join(machine.home, 'secrets')
  machine.env.PATH = `${secretTool(t, machine, secrets)}:${machine.env.PATH}`
  t.match(await machine.login(server.url), { code: 0, stderr: /stored in the key chain/ })
  t.equal(kept(machine).servers[server.url].tokens, null)
  t.notMatch(readFileSync(fileOf(machine), 'utf8'), /svc_[ar]t_/)
  t.match(await machine.svc('safe', 'list'), { code: 0, stdout: /Notes/ })
  const under = { ...machine.env }
  delete machine.env.DBUS_SESSION_BUS_ADDRESS
  t.match(await machine.svc('safe', 'list'), { code: 1, stderr: /key chain.*cannot be reached.*--file/ })
  Object.assign(machine.env, under)
  t.match(await machine.svc('login', server.url, '--file'), { code: 0, stderr: /servers\.json/ })
  delete machine.env.DBUS_SESSION_BUS_ADDRESS
  t.match(await machine.svc('safe', 'list'), { code: 0, stdout: /Notes/ }, 'as under cron')
})

/** Makes the access token look expired, as after an hour. */
function expire(machine: Machine, server: string): void {
  const file = kept(machine)
  file.servers[server].tokens.expiresAt = 1
  writeFileSync(fileOf(machine), JSON.stringify(file))
}

/** A program with the arguments of libsecret's tool that keeps secrets in a file. Returns its folder. */
function secretTool(t: Test, { home }: Machine, secrets: string): string {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const script = `#!/bin/sh
case "$1" in
  store) cat > ${secrets} ;;
  lookup) cat ${secrets} ;;
  clear) rm -f ${secrets} ;;
esac
`
  writeFileSync(join(bin, 'secret-tool'), script, { mode: 0o755 })
  t.teardown(() => rmSync(bin, { recursive: true, force: true }))
  return bin
}
