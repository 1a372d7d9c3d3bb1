/**
 * The beginning of the engine's process: looks for what was compiled of the program at an earlier start, and begins it. What
 * an import statement names is compiled before any of this runs.
 */

import { enableCompileCache } from 'node:module'

const folder = process.argv[3]
// Where the folder can't be had, the program is compiled as if there were none.
if (folder !== undefined) enableCompileCache(folder)
await import('./engine-program.ts')
