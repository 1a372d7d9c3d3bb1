/**
 * In the place of `src-engine/tasks/entry-file.ts` while tests run (`test/vitest.config.ts`): threads and processes that
 * the engine starts are bundled, as the product ships them. From their sources they take twice as much of a processor to start.
 */

import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commandLine } from './program.ts'

const folder = dirname(await commandLine())

/** The URL of a bundled entry. */
export const entryFile = ({ bundled }: { readonly bundled: string }): URL =>
  pathToFileURL(join(folder, `${bundled}.js`))
