/** Secrets that are known by how they look, wherever they stand. Each expression is linear in the text. */

/** One such look. */
export interface SecretShape {
  readonly type: string
  readonly expression: RegExp
  readonly severity: 'critical' | 'high'
  readonly confidence: number
  readonly detail: string
}

/** Only those that hardly anything else looks like. */
export const secretShapes: readonly SecretShape[] = [
  {
    type: 'aws-access-key',
    expression: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
    detail: 'AWS access key id',
    severity: 'critical',
    confidence: 0.95,
  },
  {
    type: 'github-token',
    expression: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b/g,
    detail: 'GitHub token',
    severity: 'critical',
    confidence: 0.98,
  },
  {
    type: 'slack-token',
    expression: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g,
    detail: 'Slack token',
    severity: 'critical',
    confidence: 0.95,
  },
  {
    type: 'api-key',
    expression: /\bsk-[A-Za-z0-9_-]{20,200}/g,
    detail: 'API key of a model provider',
    severity: 'critical',
    confidence: 0.9,
  },
  {
    type: 'private-key',
    expression: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----/g,
    detail: 'Private key',
    severity: 'critical',
    confidence: 0.99,
  },
  {
    type: 'jwt',
    expression: /\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,2000}/g,
    detail: 'JSON web token',
    severity: 'high',
    confidence: 0.9,
  },
  {
    type: 'database-url',
    expression: /\b[a-z][a-z0-9+]{2,20}:\/\/[^\s:@/]{1,100}:[^\s:@/]{1,200}@[^\s/]{1,200}/g,
    detail: 'Address with a password',
    severity: 'critical',
    confidence: 0.9,
  },
]
