/** The methods about what starts runs by itself. */

import type { CircuitsApi } from './circuits.ts'
import type { TriggersApi } from './triggers.ts'
import type { WebhooksApi } from './webhooks.ts'

export type StartingApi = TriggersApi & WebhooksApi & CircuitsApi
