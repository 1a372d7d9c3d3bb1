/** What a document may touch when it runs: read off its parameters before anything is done. Pure. */

import type { NodeId } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import { secretUses } from './secret-uses.ts'
import type { ReachField, ReachKind, TaskSpec } from './task-spec.ts'
import { hasExpression } from './template.ts'
import type { TriggerReachField, TriggerSpec } from './trigger-spec.ts'
import type { WorkflowDocument } from './workflow.ts'

/** One thing that a step may touch. */
export interface Reached {
  /**
   * `private`: an address of this machine or its network that the document approves for itself. `starts`: what starts
   * its runs by itself, and with which input. `unknown` for a step or trigger whose kind isn't known here: nobody can
   * tell what it does.
   */
  readonly what: ReachKind | 'private' | 'secrets' | 'starts' | 'unknown'
  /** A host, path, command or name as it is written; a text with an expression when it is decided by the run. */
  readonly text: string
  readonly decidedByRun: boolean
  /** The kind of step or trigger that touches it: reading a file is another thing than deleting it. Null for none. */
  readonly kind: string | null
  /** Null for what a trigger touches, and the document as a whole. */
  readonly nodeId: NodeId | null
}

/** The kinds by name. */
export interface ReachSpecs {
  readonly tasks: ReadonlyMap<string, TaskSpec>
  readonly triggers: ReadonlyMap<string, TriggerSpec>
}

/**
 * Everything that the steps, their undoing and the triggers may touch, each thing once per step, in the order
 * of the document, and what starts it without a person. What is switched off counts too. Custom tasks are to be
 * written out before.
 */
export function reachOf(document: WorkflowDocument, specs: ReachSpecs): readonly Reached[] {
  const all: Reached[] = []
  for (const [id, { kind, parameters, compensation }] of Object.entries(document.nodes)) {
    // Keys of `nodes` are node ids.
    const nodeId = id as NodeId
    const steps = [{ kind, parameters: parameters ?? {} }, ...(compensation?.task ? [compensation.task] : [])]
    for (const step of steps) {
      const touched = kindReach(step, specs.tasks.get(step.kind))
      all.push(...touched.map((item) => ({ ...item, kind: step.kind, nodeId })))
    }
  }
  for (const { name, nodeId } of secretUses(document)) all.push(ofDocument('secrets', name, nodeId))
  for (const { kind, parameters = {} } of Object.values(document.triggers ?? {})) {
    const spec = specs.triggers.get(kind)
    const touched = [...kindReach({ kind, parameters }, spec), ...startsReach(parameters, spec)]
    all.push(...touched.map((item) => ({ ...item, kind, nodeId: null })))
  }
  for (const host of document.capabilities?.hosts ?? []) all.push(ofDocument('private', host, null))
  return [...new Map(all.map((item) => [JSON.stringify(item), item])).values()]
}

const ofDocument = (what: Reached['what'], text: string, nodeId: NodeId | null): Reached => ({
  what,
  text,
  decidedByRun: false,
  kind: null,
  nodeId,
})

type Touched = Omit<Reached, 'nodeId' | 'kind'>

function kindReach(
  { kind, parameters }: { readonly kind: string; readonly parameters: JsonObject },
  spec: { readonly reach?: readonly (ReachField | TriggerReachField)[] } | undefined,
): readonly Touched[] {
  if (spec === undefined) return [{ what: 'unknown', text: kind, decidedByRun: true }]
  return (spec.reach ?? []).flatMap((field) => fieldReach(field, parameters))
}

/** Which runs a trigger starts: on what, only if what, and with what for an input that no person sees before. */
function startsReach(parameters: JsonObject, spec: TriggerSpec | undefined): readonly Touched[] {
  if (spec?.startsOn === undefined) return []
  const { filter, input } = parameters
  const parts = [spec.startsOn(parameters), said('only if ', filter), said('input ', input)]
  const text = parts.filter((part) => part !== '').join('; ')
  return [{ what: 'starts', text: text === '' ? spec.kind : text, decidedByRun: false }]
}

function said(word: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value)
  return text === '' ? '' : `${word}${text}`
}

function fieldReach(
  { what, field, absent, literal, told }: ReachField | TriggerReachField,
  parameters: JsonObject,
): readonly Touched[] {
  const found = textsAt(parameters, field.split('.')).filter((text) => text.trim() !== '')
  const fallback = found.length === 0 ? (absent?.(parameters) ?? '') : ''
  const texts = fallback === '' ? found : [fallback]
  return texts.map((bare) => {
    const text = told?.(parameters, bare) ?? bare
    if (literal === true) return { what, text, decidedByRun: false }
    const host = what === 'hosts' ? hostIn(text) : null
    if (host !== null) return { what, text: host, decidedByRun: false }
    return { what, text: text.trim(), decidedByRun: hasExpression(text) }
  })
}

/** The texts at a place; the one above it when that is an expression for all below. */
function textsAt(value: JsonValue | undefined, [name, ...rest]: readonly string[]): readonly string[] {
  if (typeof value === 'string') return name === undefined || hasExpression(value) ? [value] : []
  if (name === undefined) return value === undefined || value === null ? [] : [JSON.stringify(value)]
  if (name === '*') return Array.isArray(value) ? value.flatMap((item) => textsAt(item, rest)) : []
  return isJsonObject(value) && Object.hasOwn(value, name) ? textsAt(value[name], rest) : []
}

/**
 * The host of a web address as it is written, with its port; null when the text isn't one or leaves the host
 * to an expression: before one, only what ends the host proves that it is whole.
 */
function hostIn(text: string): string | null {
  const address = /^\s*https?:\/\/(?<authority>[^/?#\\\s{}]+)(?<end>[/?#]|\s*$)/i.exec(text)?.groups
  if (address === undefined) return null
  const authority = address['authority'] ?? ''
  // A name and password before the host are none of it.
  return authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
}
