type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never

/** From Node 22.15 on, not on Windows (nodejs.org/api/process.html#processexecvefile-args-env). */
const execve = (process as { execve?: Execve }).execve

/** For the process manager: nothing is wrong, but the process has to be started again (sysexits.h, EX_TEMPFAIL). */
const START_ME_AGAIN = 75

/** Whether `startAgain` works without a process manager. Otherwise the process ends, for Docker or systemd to start it. */
export const startsByItself = execve !== undefined && process.platform !== 'win32'

/** Replaces this process by a new one with the same id, arguments and environment. */
export function startAgain(): never {
  if (execve && startsByItself)
    execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env)
  return process.exit(START_ME_AGAIN)
}
