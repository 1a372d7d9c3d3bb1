/**
 * The secret part of a webhook's address. It follows from a key of the data directory and the trigger's name,
 * so nothing of it is stored, every process with the key knows it, and publishing again doesn't change it.
 */

import { createHash, createHmac } from 'node:crypto'
import type { TriggerName } from '../../model/trigger.ts'

/** 256 bits as 43 characters: nobody comes upon it by trying. */
export function secretPartOf(key: Uint8Array, { workflowId, triggerId }: TriggerName): string {
  const named = JSON.stringify(['webhook', workflowId, triggerId])
  return createHmac('sha256', key).update(named).digest('base64url')
}

/** What the listener knows of it. */
export const hashOfSecretPart = (secretPart: string): string =>
  createHash('sha256').update(secretPart).digest('hex')

/** The path of the address. */
export const addressPath = (secretPart: string, path: string): string => `/hooks/${secretPart}/${path}`
