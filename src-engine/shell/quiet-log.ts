/** For commands that tell what goes wrong themselves: there is no file for anything else. */

import type { Logger } from '../model/ports.ts'

const nothing = (): void => undefined

/** Keeps nothing. */
export const quietLog: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
