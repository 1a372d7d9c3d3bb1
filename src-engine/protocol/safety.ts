/** What people ask and say where something is held back: approvals, policies, and results that are kept apart. */

import type { ApprovalApi } from './approvals.ts'
import type { AuditApi } from './audit.ts'
import type { OutputPolicyApi } from './output-policy.ts'
import type { PolicyApi } from './policy.ts'
import type { QuarantineApi } from './quarantine.ts'
import type { SagaApi } from './saga.ts'

/** The methods of `approvals.*`, `policy.*`, `outputPolicy.*`, `quarantine.*`, `saga.*` and `audit.*`. */
export type SafetyApi = ApprovalApi & PolicyApi & OutputPolicyApi & QuarantineApi & SagaApi & AuditApi
