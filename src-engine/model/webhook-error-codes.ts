/** The error codes of webhooks. */

import { entry } from './error-entry.ts'

export const webhookErrorCatalogue = {
  webhook_port_refused: entry(
    'Web calls can’t be listened for at this address.',
    'Choose another port or address in the settings; another program may have this one.',
  ),
} as const
