import { runShare } from '../share.js'

await runShare('test/unit', 2, 2)
