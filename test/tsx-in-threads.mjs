// `--import tsx` does nothing in a worker thread (isMainThread), and there it is that indexes are built.
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) (await import('tsx/esm/api')).register()
