/** Approvals: what a person is asked before a step goes on, and what was decided about it. */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ErrorRecord } from './errors.ts'
import type { DefinitionHash, NodeId, RunId } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { canonicalJson } from './json.ts'
import type { Payload } from './payload.ts'
import type { Instant } from './time.ts'

/** Who asks: a step of the kind `approval`, or the policy before it lets a step begin. */
export type ApprovalFor = 'node' | 'policy'

/** What a person sees and decides about: exactly this, and nothing beside it, is what the hash is of. */
export interface ApprovalShown {
  readonly title: string
  /** Markdown. */
  readonly message: string
  readonly details: JsonValue
  /** JSON Schema of what is to be filled in for an approval; null for nothing. */
  readonly form: JsonObject | null
}

/** Who may decide, until when, and what happens when nobody does. */
export interface ApprovalTerms {
  /** Names of those who may decide; empty for everybody. */
  readonly approvers: readonly string[]
  /** Whether it must be somebody else than who had the run begin. */
  readonly otherPerson: boolean
  /** Whether it may be pushed back: a step that asks has a way out for that, a policy hasn't. */
  readonly pushBack: boolean
  /** A rejection goes on by the port `rejected`, or ends the step as DENIED. */
  readonly onReject: 'port' | 'deny'
  readonly expiresAt: Instant | null
  /** When nobody has decided by then: as if somebody had rejected it, or a timeout. */
  readonly onExpiry: 'reject' | 'fail'
  /** When it is put more urgently, and may be decided by `escalateTo` too; null once it was, or for never. */
  readonly escalateAt: Instant | null
  readonly escalateTo: readonly string[]
  /** People are told elsewhere, too, by what the step's kind has for that; absent where they aren't. */
  readonly tells?: true
}

/** What people are told of: the question, or that it has become urgent. */
export type ApprovalOccasion = 'asked' | 'escalated'

/** What became of telling people elsewhere. */
export interface ApprovalNotice {
  readonly occasion: ApprovalOccasion
  readonly at: Instant
  /** Who was to be told, as people read it. */
  readonly to: string
  readonly tries: number
  /** Why they, or some of them, were not told; null once all were. */
  readonly error: Pick<ErrorRecord, 'code' | 'message' | 'hint'> | null
  /** Whether it is tried no more. */
  readonly isOver: boolean
}

/** What is asked: the terms, and what the asker knows it by. */
export interface ApprovalRequest extends ApprovalTerms {
  readonly for: ApprovalFor
  /** Of `approvalHash`: a decision must name the one that it saw. */
  readonly hash: string
  /** JSON of an `ApprovalShown`. */
  readonly shown: Payload
  /** For a policy what it recognises the request by when the step comes again; null for a step that asks. */
  readonly policy: JsonObject | null
}

/** What an invocation in APPROVAL_REQUIRED waits for. */
export interface ApprovalWait extends ApprovalRequest {
  readonly kind: 'approval'
  /** 1 for the first time; grows when the same step is asked about anew. */
  readonly revision: number
  readonly requestedAt: Instant
  /** When it was put more urgently; null while it wasn't. */
  readonly escalatedAt: Instant | null
  /** What became of telling people elsewhere, one for each occasion; absent while nothing did. */
  readonly notices?: readonly ApprovalNotice[]
}

/** How an approval came to its end. */
export type ApprovalOutcome = 'approved' | 'rejected' | 'changes' | 'expired'

/** What was decided, kept on the record's dispatch: who asks again finds the answer there. */
export interface ApprovalDecision {
  readonly for: ApprovalFor
  readonly hash: string
  readonly revision: number
  readonly outcome: ApprovalOutcome
  /** Who decided; null when nobody did in time. */
  readonly by: string | null
  readonly at: Instant
  /** When they were asked; absent from what versions before this field was added decided. */
  readonly requestedAt?: Instant
  /** What they said; null for nothing. */
  readonly comment: Payload | null
  /** What they filled in; null for nothing. */
  readonly values: Payload | null
  /** What was shown to them. */
  readonly shown: Payload
  /** As the request had it. */
  readonly policy: JsonObject | null
}

/** What a person may say of an approval. */
export const approvalAnswers = ['approve', 'reject', 'push-back'] as const

export type ApprovalAnswer = (typeof approvalAnswers)[number]

/** What each answer comes to. */
export const outcomeOfAnswer: Readonly<Record<ApprovalAnswer, ApprovalOutcome>> = {
  approve: 'approved',
  reject: 'rejected',
  'push-back': 'changes',
}

/** The ports of a step that asks. */
export const approvalPorts = { approved: 'approved', rejected: 'rejected', changes: 'changes' } as const

/** What an approval is about, beside what is shown. */
export interface ApprovalSubject {
  readonly runId: RunId
  readonly generation: number
  readonly nodeId: NodeId
  /** Loop and map path; empty outside of them. */
  readonly path: string
  readonly definitionHash: DefinitionHash
  /** The resolved parameters of the step; null where what is shown says all. */
  readonly parameters: JsonValue
}

/**
 * SHA-256, in hex, of what is approved: the same for the same meaning, however its JSON is written, and another
 * for another step, definition, parameters or text.
 */
export function approvalHash(subject: ApprovalSubject, shown: ApprovalShown): string {
  const { runId, generation, nodeId, path, definitionHash, parameters } = subject
  const { title, message, details, form } = shown
  const meaning = {
    subject: { runId, generation, nodeId, path, definitionHash, parameters },
    shown: { title, message, details, form },
  }
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(meaning))))
}

/** The hash of a question that is asked anew: an answer to the one before is none to this. */
export const revisedHash = (hash: string, revision: number): string =>
  revision === 1 ? hash : bytesToHex(sha256(utf8ToBytes(`${hash}:${revision}`)))
