"""The forms of private arrays. Plain Python, because the catalogue reads it too."""

# The declaration of the array x of a and b, and the statement that sums it; `n` is 2, but not a constant.
FORMS: dict[str, tuple[str, str]] = {
    "loop": ("V x[2] = {a, b + (V)1};", "for (int k = 0; k < 2; k++) sum += x[k];"),
    "counted": ("V x[2] = {a, b + (V)1};", "for (int k = 0; k < n; k++) sum += x[k];"),
    "index": ("V x[2] = {a, b + (V)1};", "sum = x[n & 1] + x[n - 1];"),
    "written": ("V x[2] = {a, b}; x[n - 1] += (V)1;", "for (int k = 0; k < n; k++) sum += x[k];"),
    "nested": ("V x[2][2] = {{a, (V)0}, {(V)1, b}};", "for (int k = 0; k < 2 * n; k++) sum += x[k / 2][k & 1];"),
    "partial": ("V x[4] = {a, b + (V)1};", "for (int k = 0; k < 2 * n; k++) sum += x[k];"),
    "copied": ("V y[2] = {a, b + (V)1}; V x[2]; for (int k = 0; k < n; k++) x[1 - k] = y[k];", "sum = x[0] + x[n - 1];"),
    "structure": (
        "struct { V v; int more; } x[2] = {{a, 1}, {b, 0}};",
        "for (int k = 0; k < n; k++) sum += x[k].v + (V)x[k].more;",
    ),
}
