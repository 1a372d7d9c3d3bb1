/** Settings of the safety policy: what happens while nobody can be asked, and how a remote kernel is reached. */

import { z } from 'zod'
import type { PolicyFailMode } from '../policy/policy.ts'
import type { Setting } from './setting.ts'
import { choice, flag, text } from './setting.ts'

const failMode = choice({
  name: 'policy_check_fail_mode',
  words: ['closed', 'open'],
  default: 'closed',
  environmentNames: ['POLICY_CHECK_FAIL_MODE'],
  meaning:
    'What becomes of work while the safety kernel can’t be asked: closed has it wait and asks again, open lets it go on with a mark. Anything but open counts as closed; a policy may say otherwise for single tenants.',
})

/** Of the engine. */
export const policySettings: { readonly policyCheckFailMode: Setting<PolicyFailMode> } = {
  policyCheckFailMode: {
    ...failMode,
    // Who misspells `open` must not get what nobody asked for, nor an engine that doesn't start.
    schema: z.unknown().transform((raw): PolicyFailMode => {
      const read = failMode.schema.safeParse(raw)
      return read.success ? read.data : 'closed'
    }),
  },
}

/** Of a process: the remote kernel that its engine asks. */
export const safetyKernelSettings = {
  safetyKernelUrl: text({
    name: 'safety_kernel_url',
    default: '',
    pattern: /^(?:https?:\/\/\S+)?$/,
    expected: 'an http or https address',
    environmentNames: ['SAFETY_KERNEL_URL'],
    meaning:
      'A safety kernel that is asked over HTTP about everything that the policy lets go on; it can only be stricter. Empty: there is none.',
  }),
  safetyKernelToken: text({
    name: 'safety_kernel_token',
    default: '',
    isSecret: true,
    environmentNames: ['SAFETY_KERNEL_TOKEN'],
    meaning: 'The bearer token that the safety kernel is shown. Give it by the environment.',
  }),
  safetyKernelTlsCa: text({
    name: 'safety_kernel_tls_ca',
    default: '',
    environmentNames: ['SAFETY_KERNEL_TLS_CA'],
    meaning:
      'A file with the certificates (PEM) that vouch for the safety kernel, beside those of the system.',
  }),
  safetyKernelTlsRequired: flag({
    name: 'safety_kernel_tls_required',
    default: false,
    environmentNames: ['SAFETY_KERNEL_TLS_REQUIRED'],
    meaning: 'Whether a safety kernel without TLS (http) is refused.',
  }),
  safetyKernelInsecure: flag({
    name: 'safety_kernel_insecure',
    default: false,
    environmentNames: ['SAFETY_KERNEL_INSECURE'],
    meaning: 'Whether the safety kernel’s certificate goes unchecked. For tries only.',
  }),
} as const
