import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { dataDir } from '../data-dir.js'
import { freePort } from '../free-port.js'
import { builtFolder } from '../servers.js'
import { account, createFirstAccount, openBrowser } from './browser.js'

const QUESTION = 'Who leads the Lens Restoration?'

t.test('a new user opens the printed link, adds the sample Safe and asks it a question', async t => {
  const folder = dataDir(t)
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'trace' }
  const [first, context] = await Promise.all([start(t, env), openBrowser(t)])
  const link = /http:\/\/localhost:\d+\/setup\?token=\S+/.exec(first.output())?.[0]
  if (!link) throw new Error(`no set-up link was printed:\n${first.output()}`)

  const page = await context.newPage()
  await createFirstAccount(page, link)
  t.equal(new URL(page.url()).pathname, '/', 'the account is signed in and at home')
  await page.click('form[action="/safes/sample"] button')
  await page.waitForURL(/\/safes\/\w{22}/)
  const safeUrl = page.url().split('?')[0] as string
  // While the page gets the same requests.
  const command = svc(env, 'ask', new URL(safeUrl).pathname.split('/')[2] as string, QUESTION)
  t.match(await ask(page, QUESTION), /Jonas Lindqvist/)

  await t.test('a used set-up link no longer works', async t => {
    const again = await fetch(link)
    t.notMatch(await again.text(), /name="password"/)
  })

  await t.test('the command line works while the server runs', async t => {
    t.match(await command, { code: 0, stdout: /Lens Restoration — lead → Jonas Lindqvist/ })
  })

  t.equal(statSync(join(folder, 'svc.db-wal')).mode & 0o077, 0, 'what it writes is for its own user only')

  const cookies: string[] = []
  await t.test('after kill -9 everything that was acknowledged is still there', async t => {
    first.process.kill('SIGKILL')
    await once(first.process, 'exit')
    const second = await start(t, env)
    await page.goto(safeUrl)
    t.match(await ask(page, QUESTION), /Jonas Lindqvist/, 'still signed in')
    t.notMatch(second.output(), /setup\?token/, 'no set-up link once there is an account')
    cookies.push(...(await context.cookies()).map(({ value }) => value))
    // The service waits for browsers that are still connected.
    await context.close()
    second.process.kill('SIGTERM')
    const [code] = await once(second.process, 'exit')
    t.equal(code, 0, 'SIGTERM drains and closes')
  })

  await t.test('S1 neither the log nor the database holds what was typed or printed', async t => {
    const token = new URL(link).searchParams.get('token') as string
    const written = first.log() + readFileSync(join(folder, 'svc.db'), 'latin1')
    t.ok(cookies.length > 0)
    for (const secret of [token, account.password, ...cookies]) t.notOk(written.includes(secret))
    t.ok(first.log().includes('"path":"/setup"'), 'the log was looked at')
  })
})

interface Running {
  process: ChildProcess
  /** Standard error: the output that a person sees. */
  output(): string
  /** Standard output: JSON lines. */
  log(): string
}

/** `npm start`, until it listens. */
async function start(t: Test, env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [join(await builtFolder(), 'dist', 'server.js')], {
    env: { PATH: process.env.PATH, ...env },
  })
  t.teardown(() => child.kill('SIGKILL'))
  const read = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    read.stdout += chunk
  })
  await new Promise<void>((ready, fail) => {
    child.once('exit', () => fail(new Error(`it did not start:\n${read.stderr}`)))
    child.stderr.on('data', chunk => {
      read.stderr += chunk
      if (/Listening on .*\n/.test(read.stderr)) ready()
    })
  })
  return { process: child, output: () => read.stderr, log: () => read.stdout }
}

async function svc(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(await builtFolder(), 'dist', 'cli.js'), ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
  let stdout = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  const [code] = await once(child, 'close')
  return { code, stdout }
}

async function ask(page: Page, question: string): Promise<string> {
  await page.fill('#everything', question)
  await page.press('#everything', 'Enter')
  await page.waitForURL(/[?&]q=/)
  return page.innerText('main')
}
