/** The error codes of webhooks. */

import { entry } from './error-entry.ts'

export const webhookErrorCatalogue = {
  webhook_port_refused: entry(
    'Web calls can’t be listened for at this address.',
    'Choose another port or address in the settings; another program may have this one.',
  ),
  webhook_key_invalid: entry(
    'The key of webhooks is no key.',
    'Give 32 random bytes as base64, or remove it: a new one is made, and addresses change with it.',
  ),
  callback_unreachable: entry(
    'Nobody listens for the web calls that this step waits for.',
    'Run it in the app, by `sagasmith serve` or `sagasmith run`, or by a runner whose settings say webhook_url.',
  ),
  capture_not_found: entry(
    'This captured call isn’t kept any more.',
    'List those that are with `sagasmith webhooks captures WORKFLOW TRIGGER`; they are kept for a day.',
  ),
  capture_cut: entry(
    'Of this captured call only the beginning is known.',
    'Its body was larger than what is kept. Have its sender send it again, to the real address.',
  ),
} as const
