/**
 * The secret part of a webhook's address. It follows from a key of the data directory and the trigger's name,
 * so nothing of it is stored, every process with the key knows it, and publishing again doesn't change it.
 */

import { createHash, createHmac } from 'node:crypto'
import type { TriggerName } from '../../model/trigger.ts'
import type { AddressRoot } from './listener-message.ts'

const purposes = { hooks: 'webhook', 'hooks-test': 'webhook-test' } as const satisfies Readonly<
  Record<AddressRoot, string>
>

/**
 * 256 bits as 43 characters: nobody comes upon it by trying. Who knows the test address of a trigger knows
 * nothing of the other one.
 */
export function secretPartOf(
  key: Uint8Array,
  { workflowId, triggerId }: TriggerName,
  root: AddressRoot = 'hooks',
): string {
  const named = JSON.stringify([purposes[root], workflowId, triggerId])
  return createHmac('sha256', key).update(named).digest('base64url')
}

/** What the listener knows of it. */
export const hashOfSecretPart = (secretPart: string): string =>
  createHash('sha256').update(secretPart).digest('hex')

/** The path of the address. */
export const addressPath = (
  key: Uint8Array,
  name: TriggerName,
  { root, path }: { readonly root: AddressRoot; readonly path: string },
): string => `/${root}/${secretPartOf(key, name, root)}/${path}`
