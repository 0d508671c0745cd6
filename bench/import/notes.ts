// npm run bench -- notes [NOTES] — what importing a folder of NOTES (10,000) generated notes costs by the built command
// line: processor time and the most memory of the process, beside what reading the notes alone costs.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { filesOf } from '../../cli/folder.js'
import { markdown } from '../../formats/readers/markdown.js'
import { NoteNames } from '../../formats/readers/note-names.js'
import { writeNotes } from './note-folder.js'

const count = Number(process.argv[2] ?? 10_000)
const cli = new URL('../../dist/cli.js', import.meta.url).pathname
const report = `data:text/javascript,process.on('exit',()=>console.error('usage'+JSON.stringify(process.resourceUsage())))`

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-notes-'))
try {
  const notes = join(folder, 'notes')
  const bytes = writeNotes(notes, count)
  console.log(`${count.toLocaleString('en')} notes, ${(bytes / 1e6).toFixed(1)} MB, Node ${process.version}`)
  await readAlone(notes)
  await svc(['account', 'add', 'bench@example.com', '--password-stdin'], 'correct horse battery\n')
  const safe = (await svc(['safe', 'add', 'Notes', '--owner', 'bench@example.com'])).output.trim()
  const first = await svc(['safe', 'import', safe, notes])
  console.log(`import: ${usage(first)}`)
  const again = await svc(['safe', 'import', safe, notes])
  console.log(`import of the same again: ${usage(again)} (${again.errors.trim().split('\n').at(-1)})`)
  const asked = await svc(['ask', safe, 'Which tool repairs the harbour crane number 4711?'])
  console.log(`a question: ${usage(asked)}\n  ${asked.output.split('\n').slice(0, 3).join('\n  ')}`)
} finally {
  rmSync(folder, { recursive: true })
}

async function readAlone(root: string): Promise<void> {
  const { files } = await filesOf(root)
  const notes = new NoteNames(files.map(({ path }) => path))
  const before = process.cpuUsage()
  let records = 0
  for (const { path, open } of files) {
    for await (const batch of markdown.parse(await open(), { path, notes })) records += batch.length
  }
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  console.log(
    `reading them: ${seconds.toFixed(1)} s of processor time, ${records.toLocaleString('en')} records`,
  )
}

function usage({ cpuSeconds, peakMb, seconds }: Done): string {
  return `${cpuSeconds.toFixed(1)} s of processor time in ${seconds.toFixed(1)} s, ${peakMb.toFixed(0)} MB at most`
}

interface Done {
  output: string
  errors: string
  cpuSeconds: number
  peakMb: number
  seconds: number
}

async function svc(args: string[], input = ''): Promise<Done> {
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', report, cli, ...args], {
    env: { ...process.env, DATA_DIR: join(folder, 'data') },
  })
  child.stdin.end(input)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [said = '', used = ''] = errors.split('usage')
  if (used === '') throw new Error(errors)
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(used)
  return {
    output,
    errors: said,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMb: maxRSS / 1024,
    seconds: (performance.now() - started) / 1000,
  }
}
