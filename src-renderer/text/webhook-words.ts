/** What the designer says about trying a webhook out. */

export const webhookTest = {
  title: 'Try it out',
  lead: 'A test address takes calls for a quarter of an hour, shows what came and starts nothing. Nothing needs to be published for it.',
  open: 'Open the test address',
  longer: 'Keep it open longer',
  close: 'Close it',
  clear: 'Clear the calls',
  until: 'Calls are captured until {time}; none of them starts a run.',
  waiting: 'No call has come yet.',
  starts: 'would start a run',
  ignored: 'its filter leaves it out',
  refused: '{status}: {words}',
  bytes: '{count} bytes',
  resend: 'Start a run with it',
  resent: 'It was sent to the published trigger.',
  cut: 'Too large to be kept whole: it can’t be sent again.',
} as const
