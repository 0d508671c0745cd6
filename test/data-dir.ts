import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** Creates a folder that is removed when the test ends. In a file of its own, for tests that do not load the service. */
export function dataDir(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
