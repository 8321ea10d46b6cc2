/** The words at the end of the board. */
export function BoardQuote() {
  return (
    <figure className="mt-8 mb-4 rounded-card bg-plum-soft px-6 py-8 text-center text-plum">
      <blockquote className="text-balance font-display font-semibold text-lg">
        “Every love story begins with someone brave enough to tell the truth. Yours may be the one that
        another heart needed to read today.”
      </blockquote>
    </figure>
  );
}
