// npm run bench -- wordnet — a graph nobody here wrote goes in through the command line and is asked.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { convert } from './convert.js'

const questions = [
  'What are the parts of a car?',
  'Which kinds of whale are there?',
  'What is photosynthesis?',
]

const folder = mkdtempSync(join(tmpdir(), 'svc-wordnet-'))
try {
  const file = join(folder, 'wordnet.nt')
  const out = createWriteStream(file)
  console.log('WordNet:', await convert(out))
  out.end()
  await finished(out)
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`)

  await svc(['account', 'add', 'bench@example.com', '--password-stdin'], 'correct horse battery\n')
  await svc(['safe', 'add', 'WordNet', '--owner', 'bench@example.com'])
  const { seconds, peakMb, output } = await svc(['safe', 'import', 'WordNet', file, '--json'])
  console.log(`import: ${seconds.toFixed(1)} s, peak memory ${peakMb.toFixed(0)} MB`)
  console.log(JSON.parse(output).counts)
  for (const question of questions) {
    const answer = await svc(['ask', 'WordNet', question, '--limit', '6'])
    console.log(
      `\n${question} (${answer.seconds.toFixed(1)} s with start and index, ${answer.peakMb.toFixed(0)} MB)`,
    )
    console.log(answer.output)
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** Runs the built command. Peak memory is what Linux counts as VmHWM. */
async function svc(args: string[], input = ''): Promise<{ seconds: number; peakMb: number; output: string }> {
  const started = performance.now()
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    env: { ...process.env, DATA_DIR: join(folder, 'data') },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let peakMb = 0
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid ?? 0))
  }, 20)
  child.stdin.end(input)
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  clearInterval(sampling)
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - started) / 1000, peakMb, output }
}

function peakOf(pid: number): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) / 1000
  } catch {
    return 0
  }
}
