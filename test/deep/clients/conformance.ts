import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Test } from 'tap'
import { dataDir } from '../../data-dir.js'
import { serve } from '../../e2e/web-server.js'
import { newerNode, programOf } from './programs.js'

/** One check of the suite. */
export interface Check {
  scenario: string
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** A scenario and the revisions of MCP it covers. */
export interface Scenario {
  name: string
  revisions: string[]
}

export const node = newerNode()

/** The suite's scenarios against an MCP server. */
export async function listScenarios(): Promise<Scenario[]> {
  const suite = start(['list', '--server'])
  await once(suite.process, 'close')
  return [...suite.said().matchAll(/^ *- (\S+) \[(.+)\]$/gm)].map(([, name = '', revisions = '']) => ({
    name,
    revisions: revisions.split(','),
  }))
}

/** Runs the suite to its end; `whileRunning` does the part of a person. */
export async function runSuite(
  t: Test,
  args: string[],
  whileRunning: (suite: Suite) => Promise<void> = async () => {},
): Promise<Check[]> {
  const folder = dataDir(t)
  const suite = start([...args, '--output-dir', folder])
  t.teardown(() => suite.process.kill())
  const ended = once(suite.process, 'close')
  await whileRunning(suite)
  await ended
  return readdirSync(folder).flatMap(name => {
    const checks: Check[] = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))
    // "server-tools-list-2026-11-21T13-44-03-592Z"
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    return checks.map(({ id, status, errorMessage }) => ({
      scenario,
      id,
      status,
      ...(errorMessage && { errorMessage }),
    }))
  })
}

interface Suite {
  process: ChildProcess
  /** Its standard output so far. */
  said(): string
  /** Waits for this output, and returns it. */
  says(what: RegExp): Promise<string>
}

function start(args: string[]): Suite {
  const program = programOf('@modelcontextprotocol/conformance', 'conformance')
  const process = spawn(node ?? '', [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  process.stdout.on('data', chunk => {
    said += chunk
  })
  const says = (what: RegExp) =>
    new Promise<string>(resolve => {
      process.stdout.on('data', () => {
        const [found] = what.exec(said) ?? []
        if (found) resolve(found)
      })
    })
  return { process, said: () => said, says }
}

/** The suite does not support bearer tokens: this proxy adds one and changes nothing else. */
export async function addBearer(t: Test, port: number, token: string): Promise<string> {
  const origin = await serve(t, (incoming, outgoing) => {
    const { url: path, method } = incoming
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const onward = request({ host: '127.0.0.1', port, path, method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  // The suite tries DNS rebinding only on a server called localhost.
  return origin.replace('127.0.0.1', 'localhost')
}
