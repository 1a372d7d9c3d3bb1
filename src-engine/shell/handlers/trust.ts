/** What this computer trusts, what the runners of the store say of a definition, and signing. */

import { recordOfThrown } from '../../model/errors.ts'
import type { DefinitionHash } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import { readSignatures, signaturesRegister } from '../../model/trust.ts'
import type { OwnKeyView, RunnerVerdict, SignatureView, TrustApi } from '../../protocol/trust.ts'
import { livingRunners, mayTrust } from '../../runtime/routing/missing-runner.ts'
import { isSignatureOf, publicKeyOf, signDefinition } from '../../runtime/trust/signing.ts'
import type { SigningKeys } from '../signing-keys.ts'
import type { TrustBook } from '../trust-list.ts'
import { decided, withKey } from '../trust-list.ts'
import type { HandlerDeps, Handlers } from './contract.ts'
import { documentTrustHandlers } from './document-trust.ts'

/** Handlers of `trust.*`. */
export const trustHandlers = (deps: HandlerDeps): Handlers<keyof TrustApi> => {
  const { engine, trustList, signingKeys } = deps
  return {
    ...documentTrustHandlers(deps),
    'trust.definition': async ({ hash }) => {
      const [book, own] = await Promise.all([trustList.read(), ownKeys(signingKeys)])
      return {
        hash,
        starts: await engine.publishing.starts(hash),
        decision: decisionOf(book, hash),
        signatures: await signaturesOf(deps, hash, { book, own }),
        runners: await verdictsOf(deps, hash),
      }
    },
    'trust.list': async () => {
      const { approved, revoked, keys } = await trustList.read()
      return { approved, revoked, trusted: keys, own: await ownKeys(signingKeys) }
    },
    'trust.decide': async ({ hashes, decision }) => {
      await trustList.change((book) => decided(book, hashes, decision))
      return {}
    },
    'trust.sign': async ({ hashes, key }) => {
      const privateKey = await signingKeys.read(key)
      for (const hash of hashes) await engine.publishing.sign(hash, signDefinition(privateKey, hash))
      return {}
    },
    'trust.createKey': async ({ name }) => {
      const { publicKey } = await signingKeys.create(name)
      return { name, key: publicKey }
    },
    'trust.setKey': async ({ name, key }) => {
      await trustList.change((book) => withKey(book, name, key))
      return {}
    },
  }
}

const decisionOf = ({ approved, revoked }: TrustBook, hash: DefinitionHash) =>
  revoked.includes(hash) ? 'revoked' : approved.includes(hash) ? 'approved' : null

/** A file that can't be used is named with the reason: the others can. */
async function ownKeys(keys: SigningKeys): Promise<readonly OwnKeyView[]> {
  const views: OwnKeyView[] = []
  for (const name of await keys.list()) {
    try {
      views.push({ name, key: publicKeyOf(await keys.read(name)), problem: null })
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      views.push({ name, key: null, problem: `${message} ${hint}` })
    }
  }
  return views
}

/** Anybody may have written to the register: only what is a signature counts. */
async function signaturesOf(
  { engine: { store } }: HandlerDeps,
  hash: DefinitionHash,
  { book, own }: { readonly book: TrustBook; readonly own: readonly OwnKeyView[] },
): Promise<readonly SignatureView[]> {
  const register = await store.load(home(store.info.partitions), 'register', {
    key: signaturesRegister(hash),
  })
  return readSignatures(register?.value)
    .filter((signature) => isSignatureOf(hash, signature))
    .map(({ key }) => {
      const trusted = book.keys.find((item) => item.key === key)
      const mine = own.find((item) => item.key === key)
      return {
        key,
        name: trusted?.name ?? mine?.name ?? null,
        isTrusted: trusted !== undefined,
        isOwn: mine !== undefined,
      }
    })
}

async function verdictsOf({ engine }: HandlerDeps, hash: DefinitionHash): Promise<readonly RunnerVerdict[]> {
  const { store } = engine
  const page = { after: null, limit: pageSizeMax }
  const rows = await store.list(home(store.info.partitions), 'runners', { filter: null, page })
  return livingRunners(rows, engine.now()).map((runner) => ({
    runnerId: runner.id,
    host: runner.process.host,
    policy: runner.trust?.policy ?? 'all',
    accepts: mayTrust(runner, hash),
  }))
}

/** Where registers and rows of runners are. */
const home = (partitions: readonly number[]): number => partitions[0] ?? 0
