/** Secrets: their names and bindings, and values on their way in. */

import { recordOfThrown } from '../../model/errors.ts'
import { pageSizeMax, versionsLookedAtMax } from '../../model/limits.ts'
import { homePartition } from '../../model/partition.ts'
import { parseDocument } from '../../model/read-document.ts'
import { secretPlaces } from '../../model/secret-uses.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { PublishedSecretUser, SecretUser } from '../../protocol/secrets.ts'
import type { Store } from '../../store/store.ts'
import { withPasswordRenamed } from '../clusters/cluster-address.ts'
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
export const secretHandlers = ({
  vault,
  library,
  engine,
  clusters,
}: HandlerDeps): Handlers<SecretMethods> => ({
  'secrets.list': async () => {
    const state = await vault.state()
    // A damaged vault is told by its state; what is in it nobody knows.
    return { vault: state, secrets: state.status === 'damaged' ? [] : await vault.list() }
  },
  'secrets.users': async () => ({
    users: await usersIn(library),
    published: await publishedUsers(engine.store),
  }),
  'secrets.set': async (change) => ({ secret: await vault.set(change) }),
  'secrets.rename': async (names) => {
    const secret = await vault.rename(names)
    for (const entry of await clusters.list()) {
      const address = withPasswordRenamed(entry.address, names)
      if (address !== entry.address) await clusters.put({ ...entry, address })
    }
    return { secret }
  },
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
      for (const place of secretPlaces(document)) {
        users.push({ ...place, workflowId: document.id, title: document.title, path })
      }
    } catch (thrown) {
      // It was moved or changed while we looked.
      if (recordOfThrown(thrown).code === 'internal') throw thrown
    }
  }
  return users
}

/** Of each workflow the newest version counts: that is what triggers and callers start. */
async function publishedUsers(store: Store): Promise<readonly PublishedSecretUser[]> {
  return (await newestVersions(store)).flatMap(({ document, workflowId, title, hash, publishedAt }) => {
    // A published version is a document that passed validation.
    const places = secretPlaces(JSON.parse(document) as WorkflowDocument)
    const names = new Set(places.map(({ name }) => name))
    return [...names].map((name) => ({ name, workflowId, title, hash, publishedAt }))
  })
}

/** The newest of each workflow, however often others were published since. */
async function newestVersions(store: Store): Promise<readonly WorkflowVersion[]> {
  const newest = new Map<string, WorkflowVersion>()
  let after: string | null = null
  for (let lookedAt = 0; lookedAt < versionsLookedAtMax; lookedAt += pageSizeMax) {
    const request = { filter: { workflowId: null }, page: { after, limit: pageSizeMax } }
    const page: readonly WorkflowVersion[] = await store.list(homePartition, 'workflowVersions', request)
    for (const version of page) if (!newest.has(version.workflowId)) newest.set(version.workflowId, version)
    if (page.length < pageSizeMax) break
    after = page.at(-1)?.hash ?? null
  }
  return [...newest.values()]
}
