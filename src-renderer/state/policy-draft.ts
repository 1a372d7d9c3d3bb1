/** The safety policy as it is being edited: kept while other pages are looked at, lost with the window. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { PolicyDocument } from '../../src-engine/model/policy/policy.ts'
import type { Designer } from './designer.ts'

export interface PolicyDraft {
  readonly policy: PolicyDocument
  /** The hash of the policy that was edited; null where there was none. */
  readonly base: string | null
}

export interface PolicyDraftState {
  /** Null while nothing is edited: what counts is shown. */
  readonly draft: PolicyDraft | null
}

const drafts = new WeakMap<Designer, StoreApi<PolicyDraftState>>()

/** What is being edited in a window. */
export function policyDraftOf(designer: Designer): StoreApi<PolicyDraftState> {
  const known = drafts.get(designer)
  if (known !== undefined) return known
  const made = createStore<PolicyDraftState>(() => ({ draft: null }))
  drafts.set(designer, made)
  return made
}
