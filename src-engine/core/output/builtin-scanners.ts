/** What the scanners that every engine has look for. Each expression is linear in the text. */

import type { OutputSeverity } from '../../model/output/output-policy.ts'
import { secretShapes } from '../../model/secret-shapes.ts'
import { isCard, isIban, isSocialSecurity } from './identity-checks.ts'

/** One thing that a scanner looks for. */
export interface Wanted {
  readonly type: string
  readonly expression: RegExp
  readonly severity: OutputSeverity
  readonly confidence: number
  readonly detail: string
  /** One of these words must stand near by; empty for no such need. */
  readonly near: readonly string[]
  /** Whether what matched is really it; all of it when absent. */
  readonly isIt?: (match: string) => boolean
}

const of = (severity: OutputSeverity, confidence: number) => ({ severity, confidence, near: [] })

const secret: readonly Wanted[] = [
  ...secretShapes.map((shape) => ({ ...shape, near: [] })),
  {
    type: 'aws-secret-key',
    expression: /\b[A-Za-z0-9/+]{40}\b/g,
    detail: 'AWS secret key',
    ...of('critical', 0.8),
    near: ['aws_secret', 'secret_access_key', 'secretaccesskey'],
  },
  {
    type: 'assigned-secret',
    expression:
      /\b(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret)["']?\s{0,3}[:=]\s{0,3}["']?[^\s"',;]{8,200}/gi,
    detail: 'Secret given to a name',
    ...of('high', 0.7),
  },
  {
    type: 'base64-secret',
    expression: /\b[A-Za-z0-9+/]{40,400}={1,2}/g,
    detail: 'Base64 text that is called a secret',
    ...of('medium', 0.6),
    near: ['secret', 'private', 'credential', 'token'],
  },
]

const pii: readonly Wanted[] = [
  {
    type: 'email',
    expression: /\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g,
    detail: 'E-mail address',
    ...of('medium', 0.9),
  },
  {
    type: 'us-social-security-number',
    expression: /\b\d{3}-\d{2}-\d{4}\b/g,
    detail: 'US social security number',
    ...of('high', 0.8),
    isIt: isSocialSecurity,
  },
  {
    type: 'card-number',
    expression: /\b\d(?:[ -]?\d){12,18}\b/g,
    detail: 'Card number',
    ...of('high', 0.95),
    isIt: isCard,
  },
  {
    type: 'iban',
    expression: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    detail: 'Account number (IBAN)',
    ...of('high', 0.9),
    isIt: isIban,
  },
  {
    type: 'phone-number',
    expression: /(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b/g,
    detail: 'Phone number',
    ...of('medium', 0.6),
  },
  {
    type: 'uk-national-insurance-number',
    expression: /\b[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/g,
    detail: 'UK national insurance number',
    ...of('high', 0.8),
  },
]

const injection: readonly Wanted[] = [
  {
    type: 'shell-command',
    expression:
      /(?:[;&|`]|\$\()\s{0,5}(?:rm\s{1,5}-[rf]{1,2}|curl\s|wget\s|nc\s|bash\s{1,5}-c|sh\s{1,5}-c|chmod\s{1,5}[0-7]{3,4}|mkfs)/gi,
    detail: 'Shell command after a separator',
    ...of('high', 0.8),
  },
  {
    type: 'destructive-command',
    expression: /\brm\s{1,5}-(?:rf|fr)\s{1,5}(?:\/|~|\*)/gi,
    detail: 'Command that deletes files',
    ...of('critical', 0.9),
  },
  {
    type: 'sql',
    expression:
      /\b(?:drop\s{1,5}(?:table|database)\s|union\s{1,5}(?:all\s{1,5})?select\s|delete\s{1,5}from\s{1,5}\w{1,64}\s{0,5};|truncate\s{1,5}table\s)/gi,
    detail: 'SQL that changes or leaks data',
    ...of('high', 0.7),
  },
  {
    type: 'sql-always-true',
    expression: /['"]\s{0,5}or\s{1,5}['"]?\d{1,9}['"]?\s{0,5}=\s{0,5}['"]?\d{1,9}/gi,
    detail: 'SQL condition that always holds',
    ...of('high', 0.8),
  },
  {
    type: 'script',
    expression: /<script[\s>]|javascript:\s{0,5}\w/gi,
    detail: 'Script of a page',
    ...of('medium', 0.7),
  },
]

const promptInjection: readonly Wanted[] = [
  {
    type: 'override',
    expression:
      /\b(?:ignore|disregard|forget)\s{1,5}(?:all\s{1,5})?(?:of\s{1,5})?(?:the\s{1,5}|your\s{1,5}|any\s{1,5})?(?:previous|prior|above|earlier)\s{1,5}(?:instructions|prompts|rules|directions)/gi,
    detail: 'Tells a model to drop its instructions',
    ...of('high', 0.9),
  },
  {
    type: 'new-role',
    expression:
      /\b(?:you\s{1,5}are\s{1,5}now\s{1,5}(?:in\s{1,5})?(?:developer|dan|jailbroken|unrestricted)|act\s{1,5}as\s{1,5}(?:an?\s{1,5})?unrestricted)/gi,
    detail: 'Gives a model a role without limits',
    ...of('high', 0.85),
  },
  {
    type: 'bypass',
    expression:
      /\b(?:bypass|disable|turn\s{1,5}off)\s{1,5}(?:your\s{1,5}|the\s{1,5}|all\s{1,5})?(?:safety|security|content)\s{1,5}(?:filters?|checks?|rules|guidelines|restrictions)/gi,
    detail: 'Asks a model to pass its guards',
    ...of('high', 0.85),
  },
  {
    type: 'system-prompt',
    expression:
      /\b(?:reveal|print|show|repeat)\s{1,5}(?:me\s{1,5})?(?:your|the)\s{1,5}(?:system\s{1,5}prompt|hidden\s{1,5}instructions|initial\s{1,5}instructions)/gi,
    detail: 'Asks a model for its instructions',
    ...of('medium', 0.8),
  },
  {
    type: 'destructive-call',
    expression:
      /\b(?:call|invoke|use|execute)\s{1,5}(?:the\s{1,5})?(?:tool|function)\s{1,5}["'`]?(?:delete|drop|remove|destroy|wipe)\w{0,40}/gi,
    detail: 'Has a model call something that destroys',
    ...of('high', 0.8),
  },
]

export const builtinWanted: ReadonlyMap<string, readonly Wanted[]> = new Map([
  ['secret', secret],
  ['pii', pii],
  ['injection', injection],
  ['prompt_injection', promptInjection],
])
