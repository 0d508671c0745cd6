import { DomainError } from '../../../platform/common/domain-error.js'
import { normalForm } from '../../../platform/common/normal-form.js'
import { formatInside, isNote, MAX_FILES } from '../imports/import-files.js'

/** A file of a folder, as its sender describes it. */
export interface ManifestFile {
  path: string
  size: number
  /** Hex. */
  sha256: string
  /** A note whose line breaks are shown. */
  line_breaks?: boolean
}

/** Maximum bytes of a file of a folder. */
export const FOLDER_FILE_BYTES = 64 * 1024 * 1024
const MANIFEST_BYTES = 32 * 1024 * 1024
const LINE_CHARACTERS = 4_000
const PATH_CHARACTERS = 1_000
const SHA256 = /^[0-9a-f]{64}$/

/** Reads a list of files, one JSON object a line. @throws DomainError 400, 413 */
export async function readManifest(bytes: AsyncIterable<Uint8Array>): Promise<ManifestFile[]> {
  const files: ManifestFile[] = []
  const paths = new Set<string>()
  let number = 0
  const add = (line: string) => {
    number++
    if (line.trim() === '') return
    const file = fileOf(line, number)
    if (paths.has(file.path)) throw bad(number, `“${file.path}” appears twice`)
    paths.add(file.path)
    if (files.push(file) > MAX_FILES) throw tooLarge('A folder may have at most 50,000 files.')
  }
  const decoder = new TextDecoder()
  let rest = ''
  let total = 0
  for await (const some of bytes) {
    total += some.length
    if (total > MANIFEST_BYTES) throw tooLarge('The list of files is too long.')
    const lines = (rest + decoder.decode(some, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_CHARACTERS) throw bad(number + 1, 'it is too long')
    lines.forEach(add)
  }
  add(rest + decoder.decode())
  return files
}

/** As in a folder on this machine, files of other formats are left out. */
export function filesRead(files: readonly ManifestFile[]): ManifestFile[] {
  const isVault = files.some(({ path }) => isNote(path))
  return files.filter(({ path }) => formatInside(path, isVault) !== null)
}

function fileOf(line: string, number: number): ManifestFile {
  const { path, size, sha256, line_breaks = false } = parsed(line, number)
  if (typeof path !== 'string' || !isPath(path)) throw bad(number, '“path” must be a relative path')
  if (!Number.isSafeInteger(size) || (size as number) < 0) throw bad(number, '“size” must be a whole number')
  if ((size as number) > FOLDER_FILE_BYTES) throw tooLarge(`“${path}” is larger than 64 MiB.`)
  if (typeof sha256 !== 'string' || !SHA256.test(sha256))
    throw bad(number, '“sha256” must have 64 hexadecimal digits in lower case')
  if (typeof line_breaks !== 'boolean') throw bad(number, '“line_breaks” must be true or false')
  const more = line_breaks ? { line_breaks } : {}
  return { path: normalForm(path, 'NFC'), size: size as number, sha256, ...more }
}

function parsed(line: string, number: number): Record<string, unknown> {
  if (line.length > LINE_CHARACTERS) throw bad(number, 'it is too long')
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {}
  throw bad(number, 'it is not a JSON object')
}

const isPath = (path: string) =>
  path.length <= PATH_CHARACTERS &&
  !/[\p{Cc}\\]/u.test(path) &&
  path.split('/').every(name => name !== '' && name !== '.' && name !== '..')

const bad = (line: number, what: string) =>
  new DomainError(400, 'bad_manifest', `Line ${line} of the list of files: ${what}.`)

const tooLarge = (message: string) => new DomainError(413, 'too_large', message)
