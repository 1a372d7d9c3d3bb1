/**
 * The secrets of one attempt: opened right before its task is called, checked against what they are bound
 * to, taken out of whatever the task says, and forgotten with the attempt.
 */

import type { ErrorRecord } from '../../model/errors.ts'
import { errorOfRecord, SagasmithError, toErrorRecord } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { assertNever } from '../../model/result.ts'
import type { SecretEntry, SecretUse } from '../../model/secret.ts'
import { bindingAgainst, hostOfAddress, isHostAllowed, secretReference } from '../../model/secret.ts'
import { redactedByName } from '../../model/sensitive-names.ts'
import type { SecretGuard, TaskOutcome } from '../../tasks/task.ts'
import type { MarkedParameters } from './marked-parameters.ts'
import type { Redactor } from './redactor.ts'
import { createRedactor } from './redactor.ts'
import type { Vault } from './vault.ts'

/** What an attempt has of its secrets. */
export interface AttemptSecrets {
  /** The parameters with the values in them: for the task alone. */
  readonly parameters: JsonValue
  readonly guard: SecretGuard
  readonly redactor: Redactor
}

export interface SecretSource {
  /**
   * Opens what the parameters name. Throws `secret_not_found`, `secret_not_allowed`, `vault_locked` and what
   * else keeps the vault shut, each naming secret and step.
   */
  readonly open: (parameters: MarkedParameters, use: SecretUse) => Promise<AttemptSecrets>
}

/** Secrets out of a vault. */
export function createSecretSource(vault: Pick<Vault, 'open'>): SecretSource {
  return {
    async open(parameters, use) {
      const opened = await namingStep(() => vault.open(parameters.names), parameters.names, use)
      for (const { entry } of opened) checkBinding(entry, use)
      const valueByName = new Map(opened.map(({ entry, value }) => [entry.name, value]))
      const redactor = createRedactor(opened.map(({ entry, value }) => ({ name: entry.name, value })))
      return {
        parameters: parameters.filled((name) => valueByName.get(name) ?? ''),
        guard: guardOf(opened, redactor),
        redactor,
      }
    },
  }
}

/** Opens the secrets of a step; an engine without a vault says so. */
export function openSecrets(
  source: SecretSource | undefined,
  parameters: MarkedParameters,
  use: SecretUse,
): Promise<AttemptSecrets> {
  if (source !== undefined) return source.open(parameters, use)
  throw new SagasmithError('secret_not_found', {
    message: `“${use.nodeId}” needs the secret “${parameters.names[0]}”, and this engine has no vault.`,
    hint: 'Run it in the app or by `sagasmith run`, which have one.',
    details: { name: parameters.names[0] ?? '', nodeId: use.nodeId },
  })
}

/** For dry runs: the references stand for themselves, and nothing is opened. */
export const referencesOnly: SecretSource = {
  open: (parameters) =>
    Promise.resolve({
      parameters: parameters.filled(secretReference),
      guard: { checkHost: () => {}, add: () => {}, isIn: () => false, redact: (text) => text },
      redactor: createRedactor([]),
    }),
}

/** The outcome without values of secrets. What steers the run (kinds, ports, instants) stays. */
export function redactedOutcome(outcome: TaskOutcome, { text, json }: Redactor): TaskOutcome {
  switch (outcome.kind) {
    case 'completed':
    case 'leaves':
      return { ...outcome, output: json(outcome.output) }
    case 'parked':
      return { ...outcome, output: json(outcome.output), reason: text(outcome.reason) }
    case 'items':
      return { ...outcome, items: outcome.items.map(json) }
    case 'turn':
    case 'guards':
      return { ...outcome, value: json(outcome.value) }
    case 'awaits':
      return { ...outcome, output: json(outcome.output) }
    case 'asks': {
      const { title, message, details, form } = outcome.shown
      const shown = { title: text(title), message: text(message), details: json(details), form }
      return { ...outcome, shown }
    }
    case 'calls':
      return { ...outcome, input: json(outcome.input) }
    case 'emits':
      return { ...outcome, output: json(outcome.output), payload: json(outcome.payload) }
    case 'steers':
      return { ...outcome, ask: redactedAsk(outcome.ask, { text, json }) }
    case 'stops':
      return { ...outcome, output: json(outcome.output), message: text(outcome.message) }
    default:
      return assertNever(outcome)
  }
}

function redactedAsk(
  ask: Extract<TaskOutcome, { readonly kind: 'steers' }>['ask'],
  { text, json }: Pick<Redactor, 'text' | 'json'>,
): typeof ask {
  if (ask.kind === 'cancel') return { ...ask, reason: text(ask.reason) }
  return { ...ask, payload: json(ask.payload) }
}

/** The error without values of secrets, and without what its details call secret. */
export function redactedError(error: ErrorRecord, { text, json }: Redactor): ErrorRecord {
  const { message, hint, details } = error
  // An object stays an object.
  const shown = redactedByName(json(details) as ErrorRecord['details'])
  return { ...error, message: text(message), hint: text(hint), details: shown }
}

async function namingStep<T>(
  open: () => Promise<T>,
  names: readonly string[],
  { nodeId }: SecretUse,
): Promise<T> {
  try {
    return await open()
  } catch (thrown) {
    if (!(thrown instanceof SagasmithError)) throw thrown
    const record = toErrorRecord(thrown)
    const isMissing = record.code === 'secret_not_found'
    const wanted = names.map((name) => `“${name}”`).join(', ')
    throw errorOfRecord({
      ...record,
      message: isMissing
        ? `“${nodeId}” needs a secret that is not there. ${record.message}`
        : `“${nodeId}” needs the ${names.length === 1 ? 'secret' : 'secrets'} ${wanted}. ${record.message}`,
      details: { name: names[0] ?? '', ...record.details, nodeId },
    })
  }
}

interface OpenedSecret {
  readonly entry: SecretEntry
  readonly value: string
}

function checkBinding(entry: SecretEntry, use: SecretUse): void {
  const against = bindingAgainst(entry, use)
  if (against === null) return
  const { nodeId, taskKind, workflowId } = use
  const bound = entry[against] ?? []
  const what = against === 'kinds' ? `steps of the kind “${taskKind}”` : `the workflow “${workflowId}”`
  throw new SagasmithError('secret_not_allowed', {
    message: `“${nodeId}” may not use the secret “${entry.name}”: it is not meant for ${what}.`,
    details: { name: entry.name, nodeId, bound: [...bound] },
  })
}

function guardOf(opened: readonly OpenedSecret[], redactor: Redactor): SecretGuard {
  return {
    checkHost: (url, texts) => {
      const host = hostOfAddress(url)
      const kept = opened.filter(({ entry }) => !isHostAllowed(entry, host))
      const refusing = kept.find((secret) => texts === undefined || isInOne(secret, texts))?.entry
      if (refusing === undefined) return
      throw new SagasmithError('secret_host_denied', {
        message: `The secret “${refusing.name}” may not be sent to ${url.host}.`,
        details: { name: refusing.name, host: url.host, allowed: [...(refusing.hosts ?? [])] },
      })
    },
    add: redactor.add,
    isIn: redactor.isIn,
    redact: redactor.text,
  }
}

function isInOne({ entry: { name }, value }: OpenedSecret, texts: readonly string[]): boolean {
  const { isIn } = createRedactor([{ name, value }])
  return texts.some(isIn)
}
