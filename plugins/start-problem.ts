import { resolve } from 'node:path'

/** The remedy for a failed start, in words; null for errors that explain themselves. */
export function startProblem(error: NodeJS.ErrnoException, env: NodeJS.ProcessEnv): string | null {
  const { code, path, syscall } = error
  const port = env.PORT || '3000'
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop it, or set PORT to a free one, for example PORT=3001 BASE_URL=http://localhost:3001.`
  if (syscall === 'listen' && code === 'EACCES')
    return `This user may not listen on port ${port}. Set PORT to 1024 or above, and let a proxy serve the other.`
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `HOST is ${env.HOST}, which is no address of this machine. Set it to one of its addresses, or to 0.0.0.0 for all.`
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return 'The disk is full. Free some room where DATA_DIR is, then start again.'
  const folder = resolve(path ?? (env.DATA_DIR || 'data'))
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `${folder} is a file, or in one. Set DATA_DIR to a folder.`
  const isClosed = error.message.includes('unable to open database file')
  if (isClosed || code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'SQLITE_READONLY')
    return `This user may not write ${folder}. Give it the folder (chown), or set DATA_DIR to another one.`
  return null
}
