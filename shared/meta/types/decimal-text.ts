/** Sign, digits without zeros at either end, and where the point stands: 0.digits × 10^exponent. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
const largest = 4999;
/** Most digits of a decimal. */
export const mostDigits = 200;

function read(text: string): Decimal | undefined {
  const [, sign, whole, fraction = '', power = '0'] = form.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, '').length;
  const digits = all.slice(leading).replace(/0+$/, '');
  if (digits === '') return { negative: false, digits: '', exponent: 0 };
  const exponent = whole.length - leading + Number(power);
  if (digits.length > mostDigits || Math.abs(exponent) > largest) return undefined;
  return { negative: sign === '-', digits, exponent };
}

const complement = (digits: string): string => digits.replace(/\d/g, (digit) => String(9 - Number(digit)));

/**
 * A decimal text as one whose order (by code unit) is the numeric order, so that every store sorts and compares it:
 * `0` and complemented digits with `~` behind for negative ones, `1` for zero, `2` before positive ones.
 * Undefined: no number, or one past the limits.
 */
export function toSortable(text: string): string | undefined {
  const decimal = read(text);
  if (decimal === undefined) return undefined;
  const { negative, digits, exponent } = decimal;
  if (digits === '') return '1';
  const power = String(exponent + largest + 1).padStart(4, '0');
  return negative ? `0${complement(power)}${complement(digits)}~` : `2${power}${digits}`;
}

/** The shortest plain text (no exponent up to 30 places) of what `toSortable` made. */
export function fromSortable(sortable: string): string {
  if (sortable.startsWith('1')) return '0';
  const negative = sortable.startsWith('0');
  const body = negative ? complement(sortable.slice(1, -1)) : sortable.slice(1);
  const exponent = Number(body.slice(0, 4)) - largest - 1;
  return (negative ? '-' : '') + plain(body.slice(4), exponent);
}

function plain(digits: string, exponent: number): string {
  if (exponent > mostDigits + 30 || exponent < -30) return `0.${digits}e${exponent}`;
  if (exponent <= 0) return `0.${'0'.repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return digits.padEnd(exponent, '0');
  return `${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}
