/** The desk of results: what is held back, and the policy that says what. */

import { judgeContent, judgeMeta } from '../../core/output/judge.ts'
import type { JsonObject } from '../../model/json.ts'
import { utf8Bytes } from '../../model/payload.ts'
import type { OutputSample, OutputVerdict } from '../../protocol/output-policy.ts'
import type { Retries } from '../controls/retries.ts'
import type { EngineParts } from '../engine-parts.ts'
import type { OutputDesk } from './output-desk.ts'
import { outputMetaOf } from './output-meta.ts'
import type { PolicyBook } from './policy-book.ts'
import { createQuarantineDesk } from './quarantine-desk.ts'

/** The desk of an engine. */
export function createOutputDesk(
  parts: Pick<EngineParts, 'dependencies' | 'runner' | 'payloads' | 'claimer' | 'outputs'>,
  retries: Pick<Retries, 'retry'>,
): OutputDesk {
  const { outputs, claimer } = parts
  return {
    quarantine: createQuarantineDesk({ ...parts, retries, poke: () => claimer.poke() }),
    policy: outputs.book,
    test: (document, sample) => tryPolicy(outputs.book, document, sample),
  }
}

async function tryPolicy(
  book: PolicyBook,
  document: JsonObject | null,
  sample: OutputSample,
): Promise<OutputVerdict> {
  const ready = await book.ready(document)
  const {
    value,
    tenant = 'local',
    workflow = '',
    node = '',
    kind = '',
    capabilities = [],
    tags = [],
  } = sample
  const step = { tenant, workflow, node, kind, capabilities, nodeTags: tags, runTags: [] }
  const meta = outputMetaOf(step, value, utf8Bytes(JSON.stringify(value)))
  const first = ready === null ? ({ kind: 'allowed' } as const) : judgeMeta(ready.compiled, meta)
  if (ready === null || first.kind === 'allowed') return { ...allowed, phase: 'metadata' }
  if (first.kind === 'held') {
    const { id, decision, severity, reason, description } = first.rule.rule
    const why = reason === '' ? description : reason
    return { ...allowed, decision, rule: id, severity, reason: why, phase: 'metadata' }
  }
  const found = judgeContent(ready.compiled, meta, value)
  const phase = first.kind === 'scan-now' ? 'metadata' : 'content'
  return { ...found, severity: found.decision === 'allow' ? null : found.severity, phase }
}

const allowed: Omit<OutputVerdict, 'phase'> = {
  decision: 'allow',
  rule: null,
  severity: null,
  reason: '',
  findings: [],
  redacted: null,
}
