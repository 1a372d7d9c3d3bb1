/** The methods about what starts runs by itself. */

import type { TriggersApi } from './triggers.ts'
import type { WebhooksApi } from './webhooks.ts'

export type StartingApi = TriggersApi & WebhooksApi
