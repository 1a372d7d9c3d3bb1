/** The system's key store as the engine's process sees it: the main process is asked, and answers. */

import { z } from 'zod'
import { errorOfRecord, SagasmithError } from '../src-engine/model/errors.ts'
import type { KeyProvider } from '../src-engine/runtime/vault/key-provider.ts'
import type { KeyStoreAnswer, KeyStoreRequest } from './key-store.ts'

export interface EngineKeyStore {
  readonly provider: KeyProvider
  /** Called with the main process's answer to the request of that id. */
  readonly answered: (id: number, answer: KeyStoreAnswer) => void
}

const wrappedKey = z.object({ provider: z.literal('safe-storage'), data: z.string().min(1) })
/** What is encrypted: the key, and the vault that it belongs to. */
const content = z.object({ about: z.string(), key: z.string() })

/** The provider; `ask` sends a request to the main process. */
export function createEngineKeyStore(ask: (id: number, request: KeyStoreRequest) => void): EngineKeyStore {
  const waiting = new Map<number, (answer: KeyStoreAnswer) => void>()
  let count = 0
  const asked = async (request: KeyStoreRequest) => {
    count += 1
    const id = count
    const answer = await new Promise<KeyStoreAnswer>((resolve) => {
      waiting.set(id, resolve)
      ask(id, request)
    })
    if (answer.ok) return answer
    throw errorOfRecord(answer.error)
  }
  return {
    provider: {
      kind: 'safe-storage',
      requireWorking: async () => {
        await asked({ op: 'check' })
      },
      wrap: async (dataKey, about) => {
        const text = JSON.stringify({ about, key: dataKey.toString('base64') })
        const answer = await asked({ op: 'encrypt', text })
        return { provider: 'safe-storage', data: answer.text }
      },
      unwrap: async (wrapped, about) => {
        const parsed = wrappedKey.safeParse(wrapped)
        if (!parsed.success) throw new SagasmithError('vault_damaged')
        const { text, isStale } = await asked({ op: 'decrypt', data: parsed.data.data })
        const opened = contentOf(text)
        if (opened?.about !== about) throw new SagasmithError('vault_wrong_key')
        return { dataKey: Buffer.from(opened.key, 'base64'), isStale }
      },
    },
    answered: (id, answer) => {
      const resolve = waiting.get(id)
      waiting.delete(id)
      resolve?.(answer)
    },
  }
}

function contentOf(text: string): z.infer<typeof content> | null {
  try {
    const parsed = content.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    // Something else was encrypted with the same key store.
    return null
  }
}
