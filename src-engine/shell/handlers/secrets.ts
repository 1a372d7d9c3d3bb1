/** Secrets: their names and bindings, and values on their way in. */

import { recordOfThrown } from '../../model/errors.ts'
import { parseDocument } from '../../model/read-document.ts'
import { secretUses } from '../../model/secret-uses.ts'
import type { SecretUser } from '../../protocol/secrets.ts'
import type { Library } from '../library.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

type SecretMethods =
  | 'secrets.list'
  | 'secrets.users'
  | 'secrets.set'
  | 'secrets.rename'
  | 'secrets.remove'
  | 'secrets.check'
  | 'secrets.protect'
  | 'secrets.unlock'

/** Handlers of `secrets.*`. */
export const secretHandlers = ({ vault, library }: HandlerDeps): Handlers<SecretMethods> => ({
  'secrets.list': async () => {
    const state = await vault.state()
    // A damaged vault is told by its state; what is in it nobody knows.
    return { vault: state, secrets: state.status === 'damaged' ? [] : await vault.list() }
  },
  'secrets.users': async () => ({ users: await usersIn(library) }),
  'secrets.set': async (change) => ({ secret: await vault.set(change) }),
  'secrets.rename': async (names) => ({ secret: await vault.rename(names) }),
  'secrets.remove': async ({ name }) => {
    await vault.remove(name)
    return {}
  },
  'secrets.check': async () => {
    const state = await vault.state()
    return { vault: state, checks: state.status === 'open' ? await vault.check() : [] }
  },
  'secrets.protect': async (by) => ({ vault: await vault.protect(by) }),
  'secrets.unlock': async ({ passphrase }) => ({ vault: await vault.unlock(passphrase) }),
})

/** Files that can't be opened name nobody; the library says what is wrong with them. */
async function usersIn(library: Library): Promise<readonly SecretUser[]> {
  const users: SecretUser[] = []
  for (const { path, problem } of await library.list()) {
    if (problem !== null) continue
    try {
      const { document: json } = await library.read(path)
      const parsed = parseDocument(json)
      if (!parsed.ok) continue
      const { document } = parsed.value
      for (const { name, nodeId } of secretUses(document)) {
        users.push({ name, workflowId: document.id, title: document.title, path, nodeId })
      }
    } catch (thrown) {
      // It was moved or changed while we looked.
      if (recordOfThrown(thrown).code === 'internal') throw thrown
    }
  }
  return users
}
