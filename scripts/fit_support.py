"""Fits the constants of `src/domain/synthesis/support.rs` and says how far they can be trusted.

    cargo run --release --example support_features -- wice-dev.jsonl | python3 scripts/fit_support.py

Needs scikit-learn. Prints the intercept and coefficients for the features as they are (not standardised), the AUROC on
the set itself, cross-validated (5 folds, 20 times, the strength of the L2 penalty chosen inside each training part:
"nested") and on random halves, for both readings of the labels, and the threshold.
"""

import json
import sys
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")
STRENGTHS = [0.01, 0.03, 0.1, 0.3, 1.0]


def searched(seed):
    """A standardised ridge logistic regression that chooses its own penalty."""
    model = make_pipeline(StandardScaler(), LogisticRegression())
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    return GridSearchCV(model, {"logisticregression__C": STRENGTHS}, scoring="roc_auc", cv=folds)


def out_of_fold(x, y, seed):
    """Predictions for every item by a model that hasn't seen it."""
    predicted = np.zeros(len(y))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(x, y):
        predicted[test] = searched(seed).fit(x[train], y[train]).predict_proba(x[test])[:, 1]
    return predicted


def halves(x, y, part, count=50):
    """AUROC on the other half, for random halves: (supported or not, at least partially or not)."""
    figures = []
    for train, test in StratifiedShuffleSplit(count, test_size=0.5, random_state=1).split(x, y):
        p = searched(1).fit(x[train], y[train]).predict_proba(x[test])[:, 1]
        figures.append((roc_auc_score(y[test], p), roc_auc_score(part[test], p)))
    return np.array(figures)


def main():
    items = [json.loads(line) for line in sys.stdin]
    names = items[0]["names"]
    x = np.array([item["features"] for item in items], float)
    y = np.array([item["label"] == "supported" for item in items])
    part = np.array([item["label"] != "not_supported" for item in items])
    score = np.array([item["score"] for item in items])
    print(f"{len(items)} claims, {y.sum()} supported, {part.sum()} at least partially")
    for name, column in zip(names, x.T):
        print(f"  {name:14} alone {roc_auc_score(y, column):.3f}")
    print(f"as compiled now: {roc_auc_score(y, score):.4f}; at least partially {roc_auc_score(part, score):.4f}")
    nested = np.array([out_of_fold(x, y, seed) for seed in range(20)])
    full = [roc_auc_score(y, p) for p in nested]
    print(f"nested, 5 folds, 20 times: {np.mean(full):.4f} (lowest {min(full):.4f}); "
          f"at least partially {np.mean([roc_auc_score(part, p) for p in nested]):.4f}")
    other = halves(x, y, part)
    print(f"on the other half, 50 times: {other[:, 0].mean():.4f} ± {other[:, 0].std():.4f}; "
          f"at least partially {other[:, 1].mean():.4f}")
    model = searched(0).fit(x, y)
    scaler, logistic = model.best_estimator_.named_steps.values()
    weights = logistic.coef_[0] / scaler.scale_
    intercept = logistic.intercept_[0] - (weights * scaler.mean_).sum()
    fitted = model.predict_proba(x)[:, 1]
    false, true, thresholds = roc_curve(y, nested.mean(0))
    print(f"strength {model.best_params_}; on the set itself {roc_auc_score(y, fitted):.4f}")
    print(f"SUPPORTED_MIN {thresholds[np.argmax(true - false)]:.3f}: balanced accuracy {(1 + max(true - false)) / 2:.3f}")
    print(f"INTERCEPT {intercept:.4f}")
    print(f"COEFFICIENTS [{', '.join(f'{weight:.4f}' for weight in weights)}]")


main()
