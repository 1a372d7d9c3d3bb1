/** The name of whoever sits at this machine, as its system knows them. */

import { userInfo } from 'node:os'

/** For whom no system has a name. */
const nobody = 'local'

/** The name of the user that this process runs as; it is told, not proven. */
export function personHere(): string {
  try {
    const { username } = userInfo()
    return username === '' ? nobody : username
  } catch {
    // There are users without an entry, in containers mostly.
    return nobody
  }
}
