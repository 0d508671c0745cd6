import { runShare } from '../share.js'

await runShare('test/unit', 1, 2)
