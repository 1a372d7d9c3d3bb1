/** Settings of a process around the engine: where its data is, what it serves and what it tells. */

import { trustPolicies } from '../trust.ts'
import { safetyKernelSettings } from './policy-settings.ts'
import type { ValueOfSetting } from './setting.ts'
import { choice, count, flag, text } from './setting.ts'

/** How much is logged, from everything to failures only. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const

/** The settings by the key that code reads them with. */
export const shellSettingsCatalogue = {
  data: {
    ...text({
      name: 'data',
      default: '',
      pattern: /\S/,
      expected: 'a folder',
      meaning: 'The data directory: store, payloads, logs and workflows.',
    }),
    default: null,
    derivedFrom: 'the system’s place for data of programs',
  },
  port: count({
    name: 'port',
    default: 0,
    max: 65_535,
    meaning: 'The port of `serve` on this machine; 0 takes a free one.',
  }),
  logLevel: choice({
    name: 'log_level',
    words: logLevels,
    default: 'info',
    meaning: 'The least important kind of message that is logged.',
  }),
  logFormat: choice({
    name: 'log_format',
    words: ['json', 'text'],
    default: 'json',
    meaning: 'How the log is written: one JSON object per line, or text for people.',
  }),
  metricsToken: text({
    name: 'metrics_token',
    default: '',
    isSecret: true,
    meaning:
      'A bearer token that may read /metrics of `serve` and nothing else, for scrapers. Without one only the session’s token may.',
  }),
  vaultPassphrase: text({
    name: 'vault_passphrase',
    default: '',
    isSecret: true,
    meaning:
      'The passphrase of the vault of secrets; a new vault is protected by it. Give it by the environment, not on a command line.',
  }),
  vaultKeyFile: text({
    name: 'vault_key_file',
    default: '',
    meaning:
      'The file with the key of the vault, where it has no passphrase and no key store. Empty: vault.key of the data directory.',
  }),
  redisPassword: text({
    name: 'redis_password',
    default: '',
    isSecret: true,
    meaning:
      'The password of a Redis user, for addresses that name no secret of the vault. Give it by the environment, not on a command line.',
  }),
  trust: choice({
    name: 'trust',
    words: trustPolicies,
    default: 'all',
    meaning:
      'Which definitions a runner executes: all, those approved in its data directory, or those that a key signed which is trusted there.',
  }),
  tellSecrets: flag({
    name: 'tell_secrets',
    default: true,
    meaning:
      'Whether a runner tells its cluster the names and bindings of the secrets that its steps may use, so that a push can say what is missing. Values are never told.',
  }),
  sealPayloads: flag({
    name: 'seal_payloads',
    default: false,
    meaning:
      'Whether the data file of this directory, or what a runner works for, seals its values with a key of the vault. Once it does, it goes on, whatever this says.',
  }),
  webhookAddress: text({
    name: 'webhook_address',
    default: '127.0.0.1',
    pattern: /^[0-9A-Fa-f.:]+$/,
    expected: 'an address of this machine such as 127.0.0.1 or ::1',
    meaning:
      'Where web calls are listened for, once a webhook is published. Others than those of this machine alone are reached from outside: put a proxy with TLS in front.',
  }),
  webhookPort: count({
    name: 'webhook_port',
    default: 7420,
    max: 65_535,
    meaning: 'The port of webhooks; 0 takes a free one, and addresses change with it.',
  }),
  webhookUrl: text({
    name: 'webhook_url',
    default: '',
    pattern: /^(?:https?:\/\/\S+)?$/,
    expected: 'an http or https address such as https://hooks.example.com',
    meaning:
      'What callers see in place of that address and port, behind a proxy; for the addresses that are shown.',
  }),
  webhookKey: text({
    name: 'webhook_key',
    default: '',
    isSecret: true,
    meaning:
      'The key from which the secret parts of webhooks’ addresses follow: 32 random bytes as base64, the same for all runners of a cluster. Empty: webhook.key of the data directory.',
  }),
  ...safetyKernelSettings,
  otlpEndpoint: text({
    name: 'otel_exporter_otlp_endpoint',
    default: '',
    pattern: /^(?:https?:\/\/\S+)?$/,
    expected: 'an http or https address such as http://127.0.0.1:4318',
    environmentNames: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    meaning: 'Where OpenTelemetry spans are sent (OTLP over HTTP, as JSON). Empty: no spans are made.',
  }),
  otlpHeaders: text({
    name: 'otel_exporter_otlp_headers',
    default: '',
    isSecret: true,
    environmentNames: ['OTEL_EXPORTER_OTLP_HEADERS'],
    meaning: 'Headers for that address, as name=value separated by commas.',
  }),
  serviceName: text({
    name: 'otel_service_name',
    default: 'sagasmith',
    pattern: /\S/,
    expected: 'a name',
    environmentNames: ['OTEL_SERVICE_NAME'],
    meaning: 'The name under which spans of this process appear.',
  }),
} as const

type Catalogue = typeof shellSettingsCatalogue

export type ShellSettingKey = keyof Catalogue

export type ShellSettings = { readonly [Key in ShellSettingKey]: ValueOfSetting<Catalogue[Key]> }
